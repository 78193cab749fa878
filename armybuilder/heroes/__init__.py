"""Heroes of Relic: lists that are one hero with his dials and cards instead of units.

Their rows, revisions, links, bin and copies are those of `armylists` (`ArmyList` with `document_kind` "army"), as are
the services that write them: stored heroes, their addresses and their migrations stay what they are. This app gives
`armylists` what it does not know: `list_type.py`, with the parts beside it.

| file | what |
|---|---|
| `documents.py` | the army document a row keeps |
| `edits.py` `editing.py` | what a player does with a hero; doing it |
| `checking.py` | the verdict |
| `changes.py` `repairs.py` | what two states differ in; edits that may settle a finding |
| `services.py` `queries.py` | starting a hero; which lists are heroes |
| `wording.py` | dials, moments, places and actions in both languages |
"""
