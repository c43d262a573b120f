"""What several resources read and show, as marshmallow schemas.

Nothing here imports another room of the service.
"""
