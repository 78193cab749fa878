"""The acts of administrators, for administrators: to be read and searched, never changed."""

from armybuilder.datafiles.admin import ReadOnlyAdmin


class AuditTrail(ReadOnlyAdmin):
    """Who did what, and when; newest first."""

    list_display = ("action_time", "user", "action_flag", "content_type", "object_repr", "change_message")
    list_filter = ("action_flag", "content_type", "user")
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "change_message", "user__username")
    date_hierarchy = "action_time"
