/// A case in a form that its set doesn't have.
struct Malformed: Error {}
