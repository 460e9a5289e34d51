import pg from 'pg'

export interface Statement {
  text: string
  values: readonly unknown[]
}

/** Every statement that this process sends to PostgreSQL from now until `stop` is called. */
export function captureStatements(): { statements: Statement[]; stop: () => void } {
  const statements: Statement[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [given, values] = args as [string | { text: string; values?: unknown[] }, unknown[]?]
    const text = typeof given === 'string' ? given : given.text
    const sent = typeof given === 'string' ? values : given.values
    statements.push({ text: text.replaceAll(/\s+/g, ' ').trim(), values: sent ?? [] })
    return Reflect.apply(query, this, args) as never
  }
  return {
    statements,
    stop() {
      pg.Client.prototype.query = query
    },
  }
}
