"""Who is signed in is found by prepared queries, and by nothing that has ended."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from armybuilder.accounts.models import User


def test_session_and_user_are_one_query_each(owner: User, django_assert_num_queries: object) -> None:
    browser = Client()
    browser.force_login(owner)
    browser.get("/about/")
    with django_assert_num_queries(2) as asked:  # type: ignore[operator]
        page = browser.get("/about/")
    assert page.wsgi_request.user == owner
    assert [query["sql"].split(" FROM ")[1].split()[0].strip('"') for query in asked] == [
        "django_session",
        "accounts_user",
    ]


def test_a_session_whose_time_is_over_signs_nobody_in(owner: User) -> None:
    browser = Client()
    browser.force_login(owner)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert browser.get("/about/").wsgi_request.user.is_anonymous


def test_a_session_that_was_ended_and_an_unknown_one_sign_nobody_in(owner: User) -> None:
    browser = Client()
    browser.force_login(owner)
    assert browser.get("/about/").wsgi_request.user == owner
    Session.objects.all().delete()
    assert browser.get("/about/").wsgi_request.user.is_anonymous
    browser.cookies["sessionid"] = "no-such-session"
    assert browser.get("/about/").wsgi_request.user.is_anonymous


def test_a_closed_account_and_one_that_is_gone_are_signed_in_no_longer(owner: User) -> None:
    browser = Client()
    browser.force_login(owner)
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert browser.get("/about/").wsgi_request.user.is_anonymous
    browser = Client()
    User.objects.filter(pk=owner.pk).update(is_active=True)
    browser.force_login(owner)
    assert browser.get("/about/").wsgi_request.user == owner
    User.objects.filter(pk=owner.pk).delete()
    assert browser.get("/about/").wsgi_request.user.is_anonymous
