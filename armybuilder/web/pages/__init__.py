"""What pages show, as values: one module a page or a part of one; templates loop over them and decide nothing.

`builder_page` holds a list in the builder, `roster_view` its units in their roles, `available_options` what may be
taken, `facts` and `warlords` its panes; `hero_page`, `hero_choices` and `hero_cards` are the same for a hero; `sheets`
is either as it is handed over. `matchup_answers`, `battle_answers`, `upgrade_answers` and `hero_answers` show results
of simulations; `profiles` and `card_tables` show published data.
"""
