import pg from 'pg'

/** A single connection. Unlike one without a listener, it does not end this process when it breaks. */
export function createClient(connection: pg.ClientConfig): pg.Client {
  // Whoever uses it gets the error from the query.
  return new pg.Client(connection).on('error', () => {})
}
