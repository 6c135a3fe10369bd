// A test writes one import for stubs and the types that they answer with.
@_exported public import NetCore
