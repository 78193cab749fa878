"""Bytes <-> objects: the files of BattleScribe and New Recruit.

| file | what |
|---|---|
| `library.py` | `load_library(files, cache_dir=None) -> Library`: reads, upgrades, links, lists problems |
| `shape.py` | which element may stand where in a 2.03 file, and which attributes are kept |
| `cat_xml.py` | .gst and .cat of schema 2.x, and the JSON form of the adapter protocol |
| `old_cat_xml.py` | upgrades 1.14 to 2.02 while reading |
| `ros_xml.py` | .ros, both ways |
| `zipped.py` | .gstz .catz .rosz with limits on size and names |
"""
