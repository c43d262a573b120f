"""E-mail by the operator's mail server: addresses, links that need no sign-in, letters, SMTP.

A mail goes to the operator's own server only, never to that of an address.
"""
