"""Bytes <-> objects: the files of BattleScribe and New Recruit.

| file | what |
|---|---|
| `library.py` | `load_library(files, cache_dir=None) -> Library`: reads, upgrades, links, lists problems |
| `cat_xml.py` | .gst and .cat of schema 2.x |
| `old_cat_xml.py` | upgrades 1.14 to 2.02 while reading |
| `ros_xml.py` | .ros, both ways |
| `zipped.py` | .gstz .catz .rosz with limits on size and names |
"""
