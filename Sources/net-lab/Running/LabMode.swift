#if Tools && Server
internal import ArgumentParser

/// The kind of peer that scenarios run against.
enum LabMode: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// A server on loopback, over libcurl.
    case live
    /// The same stubs in memory: no sockets, and no waiting in real time where a test clock can advance.
    case mock
}
#endif
