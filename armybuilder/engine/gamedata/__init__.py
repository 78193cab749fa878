"""What data authors publish: immutable, shared between requests.

| file | what |
|---|---|
| `columns.py` | the stored form: flat NumPy columns and one string table, in a file named by content hash, memory-mapped |
| `links.py` | ids resolved per catalogue closure; the `Library` |
| `model.py` | entries, groups, constraints, modifiers, profiles...: views made when they are touched |
"""
