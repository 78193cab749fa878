"""What data authors call the roles of a force organisation chart, in the singular and in the plural."""

from types import MappingProxyType

CHART_ROLES = MappingProxyType(
    {
        "hq": "hq",
        "troops": "troops",
        "elites": "elites",
        "elite": "elites",
        "fast attack": "fast_attack",
        "heavy support": "heavy_support",
        "lords of war": "lord_of_war",
        "lord of war": "lord_of_war",
        "fortification": "fortification",
        "fortifications": "fortification",
    }
)
"""Keys of the roles in army documents by the names of categories, in small letters."""
