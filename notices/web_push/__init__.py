"""Messages for browsers: Web Push (RFC 8030), encrypted (RFC 8291), signed by us (RFC 8292)."""

from cartulary.notices.web_push.messages import PushMessage, PushUrgency
from cartulary.notices.web_push.server_key import PushServerKey
from cartulary.notices.web_push.subscriptions import PushSubscription

__all__ = ["PushMessage", "PushServerKey", "PushSubscription", "PushUrgency"]
