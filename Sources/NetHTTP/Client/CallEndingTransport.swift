internal import NetCore

/// A transport that ends a call by itself when the client does, so that no task is needed to watch over it.
protocol CallEndingTransport: HTTPTransport {}

#if os(Linux)
extension CurlTransport: CallEndingTransport {}
#endif
