from tests.rendered import empty_cache

__all__ = ["empty_cache"]
