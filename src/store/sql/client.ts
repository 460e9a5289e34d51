import pg from 'pg'

/** A single connection. With a listener for errors, it does not end this process when it breaks. */
export function createClient(connection: pg.ClientConfig): pg.Client {
  // The caller gets the error from the query.
  return new pg.Client(connection).on('error', () => {})
}
