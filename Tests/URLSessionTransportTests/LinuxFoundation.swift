// The declarations that the transport's sources use from Foundation on Apple platforms. No library imports this module:
// a program with FoundationNetworking starts slower and is 66 MB larger.
#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
