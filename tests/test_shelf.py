"""What a process keeps is bounded in bytes, whatever is put in."""

from armybuilder.shelf import Shelf


def test_a_shelf_holds_so_much_and_forgets_what_was_asked_for_longest_ago() -> None:
    shelf = Shelf[str](100)
    for name in "abc":
        shelf.keep(name, name, 40)
        shelf.get("a")
    assert [shelf.get(name) for name in "abc"] == ["a", None, "c"] and shelf.bytes == 80
    shelf.keep("a", "A", 30)
    assert (shelf.get("a"), shelf.bytes) == ("A", 70)


def test_what_is_too_much_by_itself_is_not_kept_and_takes_nobodys_place() -> None:
    shelf = Shelf[str](100)
    shelf.keep("a", "a", 60)
    shelf.keep("d", "d", 40)
    shelf.keep("d", "D", 101)
    assert ([shelf.get(name) for name in "ad"], shelf.bytes) == (["a", None], 60)
    shelf.forget()
    assert (shelf.get("a"), shelf.bytes) == (None, 0)
