// Without the trait Server there is nothing but what this re-exports.
@_exported public import NetTesting
