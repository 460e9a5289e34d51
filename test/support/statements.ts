import pg from 'pg'
import { onTestFinished } from 'vitest'

export interface Statement {
  text: string
  values: readonly unknown[]
}

/** Every statement that this process sends to PostgreSQL from now until the end of the test. */
export function watchStatements(): Statement[] {
  const statements: Statement[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [given, values] = args as [string | { text: string; values?: unknown[] }, unknown[]?]
    const text = typeof given === 'string' ? given : given.text
    const sent = typeof given === 'string' ? values : given.values
    statements.push({ text: text.replaceAll(/\s+/g, ' ').trim(), values: sent ?? [] })
    return Reflect.apply(query, this, args) as never
  }
  onTestFinished(() => {
    pg.Client.prototype.query = query
  })
  return statements
}
