import type pg from 'pg'
import type { Statement } from './sent-statements.ts'

/** A step of a plan, as `explain` writes it in JSON. */
interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Node[]
}

/** How PostgreSQL ran a statement. */
interface Plan {
  /** The tables that were read from their beginning to their end. */
  scanned: string[]
  /** Pages that were read. */
  buffers: number
}

/** Runs a statement again, and returns how. Only for statements that change nothing. */
export async function planOf(client: pg.Client, { text, values }: Statement): Promise<Plan> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
    `explain (analyze, buffers, format json) ${text}`,
    [...values],
  )
  const root = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (!root) throw new Error(`there is no plan of ${text}`)
  const buffers = (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0)
  return { scanned: nodesOf(root).filter(isScan).map(tableOf), buffers }
}

/**
 * The same as a prepared statement, where the session has generic plans. For values that are texts, numbers
 * and times.
 */
export async function genericPlanOf(client: pg.Client, { text, values }: Statement): Promise<Plan> {
  await client.query(`prepare explained as ${text}`)
  const written = values.map((value) =>
    client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
  )
  try {
    return await planOf(client, { text: `execute explained (${written.join()})`, values: [] })
  } finally {
    await client.query('deallocate explained')
  }
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

const isScan = (node: Node) => node['Node Type'] === 'Seq Scan'
const tableOf = (node: Node) => node['Relation Name'] ?? ''
