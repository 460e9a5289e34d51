import { sql } from 'kysely'

/** As an expression, for statements that are written as text. */
export const noWait = `set_config('synchronous_commit', 'off', true)`

/**
 * Has the transaction of a statement not wait for the disk: for changes that the sweep makes again from what they
 * were made from, should the server crash (`docs/decisions/028`). Always true, so that it can stand among the
 * conditions of a statement.
 */
export const withoutWaiting = sql<boolean>`${sql.raw(noWait)} = 'off'`
