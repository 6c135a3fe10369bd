// A test needs only one import for stubs and the types in their responses.
@_exported public import NetCore
