"""What a test commits is gone after it; what follows from the models stays."""

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.test import TransactionTestCase

from armybuilder.accounts.models import User


@pytest.mark.django_db(transaction=True)
def test_only_permissions_and_kinds_of_content_outlive_a_test(owner: User) -> None:
    before = Permission.objects.count(), ContentType.objects.count()
    TransactionTestCase()._fixture_teardown()
    assert not User.objects.exists()
    assert (Permission.objects.count(), ContentType.objects.count()) == before
    assert all(before)
