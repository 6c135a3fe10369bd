// Without the trait Server, this module contains only its re-exports.
@_exported public import NetTesting
