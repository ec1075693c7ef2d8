"""Export: a core ``Game`` goes in, the text of a standalone engine comes out.

Nothing here is trusted: an exported module is compared with the reference meaning by
``kozel_verify.verify.engine_check`` before anybody relies on it. Export reads only ``kozel_verify.model``.
"""
