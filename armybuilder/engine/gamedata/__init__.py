"""What data authors publish: immutable, shared between requests.

| file | what |
|---|---|
| `columns.py` | the stored form: flat NumPy columns and one string table, cached by content hash, memory-mapped |
| `linking.py` | resolves ids per catalogue closure while compiling; lists what stays open |
| `links.py` | the `Library`: a linked set, and what its ids name |
| `library_facts.py` | what it tells of itself: catalogues, currencies, categories, kinds of force |
| `places.py` | entries where they stand: links and imports seen through, expanded lazily |
| `numbers.py` | exact numbers, read from text and written back |
| `roots.py` | what a catalogue offers at its root |
| `model.py` | constraints, modifiers and conditions as objects |
| `reading.py` | makes those of the columns when they are touched; what is written alike once |
"""
