/// The tables of a store. A released migration step is never changed: a change is a new step.
enum StoreSchema {
    /// All steps, oldest first.
    static let migrations = [
        Migration(name: "entries", sql: StoreTables.all + StoreViews.all),
        Migration(name: "cursors of exports", sql: StoreTables.cursors),
        Migration(name: "jobs of several processes", sql: StoreTables.jobs),
        Migration(name: "time of sending", sql: StoreTables.sending),
    ]

    static let migrator = Migrator(migrations: migrations)
}
