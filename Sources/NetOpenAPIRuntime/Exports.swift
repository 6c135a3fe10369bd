@_exported public import NetCore
