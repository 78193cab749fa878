"""What a player picks from game data, evaluated as BattleScribe does.

| file | what |
|---|---|
| `model.py` | Roster > Force > Selection: the stored, immutable tree; `pointers(roster)`: JSON pointers by node id |
| `edits.py` | `new_roster`, `add_force`, `select`, `deselect`, `remove`, `set_amount`, `duplicate`, `customise`, |
| | `set_cost_limit`: each gives an `Edit(roster, node_id, created)` |
| `state.py` | `RosterState`, `ForceState`, `SelectionState`, `Cost`, `ProfileState`, `RosterError`…: the answer |
| `evaluate.py` | `evaluate(library, roster, previous=None) -> RosterState` |
| `available_options.py` | `offers(library, state, node_id=...)`: what may be put under a force or selection |
| `data_findings.py` | `data_findings(state)`: errors as findings BS-01 … in both languages (also from `explain`) |
| `explain.py` | `why(library, state, node_id=..., entry_id=...)`, `explain_error`: chains of reasons, and repairs |
| `nodes.py` | the roster as a tree that can be counted |
| `scopes.py` `conditions.py` `modifiers.py` `costs.py` `limits.py` | what `evaluation.py` asks of nodes |
| `evaluation.py` `constraints.py` | the two halves of `evaluate`: what a roster comes to, what the data objects to |
| `state_layout.py` `shown_information.py` | the answer laid out in the order players read; its profiles and rules |
| `roster_objections.py` `limit_words.py` `missing.py` | other objections; their words; what is gone |
| `reads.py` `renewal.py` | what data may ask of a roster; what an evaluation takes over from the one before an edit |

A short tour:

    library = load_library([SourceFile("Game.gst", data), SourceFile("Army.cat", more)])
    edit = new_roster(library, name="Crusade", new_id=new_id)
    edit = add_force(library, edit.roster, force_entry_id="fe", catalogue_id="cat", new_id=new_id)
    force_id = edit.node_id
    edit = select(library, edit.roster, parent_id=force_id, entry_id="L1::unit", new_id=new_id)
    state = evaluate(library, edit.roster)          # or evaluate(library, roster, previous=state) after an edit
    state.cost("pts"), state.errors, state.forces[0].selections[0].profiles
    for offer in offers(library, state, node_id=force_id): ...
    stored = msgspec.json.encode(edit.roster); msgspec.json.decode(stored, type=Roster)
    explanation = why(library, state, node_id=force_id, entry_id="L1::unit")   # chain of reasons, and repairs
    findings = data_findings(state)                  # BS-01 min, BS-02 max, BS-03 hidden, BS-04 cost limit,
                                                     # BS-06 cost loop, BS-07 gone from the data, BS-08 and BS-09
                                                     # said by the data itself; at = JSON pointer
    file = write_zipped_roster(library, state)       # battlescribe_files.ros_xml; read_roster + settle come back

Refusals are GameErrors: UnknownId, UnknownNode, RefusedEdit, TooManyEntries, and UnreadableFile from the readers.
A default cost limit of 0 is a limit of 0: ask for the game size and use `set_cost_limit` (None for no limit).
"""
