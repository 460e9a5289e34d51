import { canSee, type RepositoryRecord } from '../../../access/visibility.ts'
import {
  type FoundRecords,
  linkedRecords,
  type LinkedRecords,
  type LinkedTable,
} from '../../../store/repositories/load-by-ids.ts'
import type { Call } from '../../core/endpoint.ts'
import type { View } from '../core/resource.ts'
import { loader } from './loader.ts'

interface Ref {
  table: LinkedTable
  id: number
}

const keyOf = ({ table, id }: Ref) => `${table} ${id}`

const load = loader<Ref, LinkedRecords[LinkedTable] | null>(keyOf, async ({ ctx }, refs) => {
  const ids: Partial<Record<LinkedTable, number[]>> = {}
  for (const { table, id } of refs) (ids[table] ??= []).push(id)
  const found = new Map(
    (await linkedRecords(ctx.db, ids)).map(({ from, record }) => [
      keyOf({ table: from, id: record.id }),
      record,
    ]),
  )
  return refs.map((ref) => found.get(keyOf(ref)) ?? null)
})

/** Registers records that a call has read already, so that they are not read again. */
export function knowLinked(call: Pick<Call, 'reads'>, found: readonly FoundRecords[]): void {
  load.know(
    call,
    found.map(({ from, record }) => ({ table: from, id: record.id })),
    found.map(({ record }) => record),
  )
}

/**
 * Reads records of a table by their ids; null for a missing id or record. Records that are requested at
 * the same time share one statement, across tables.
 */
export function linked<T extends LinkedTable>(table: T) {
  return async (
    view: View,
    ids: readonly (number | null)[],
  ): Promise<(LinkedRecords[T] | null)[]> => {
    const refs = ids.flatMap((id) => (id === null ? [] : [{ table, id }]))
    const records = (await load(view, refs)).values()
    return ids.map((id) => (id === null ? null : (records.next().value as LinkedRecords[T] | null)))
  }
}

/**
 * A link to a record of a table by its id. A record without privacy of its own is as private as the
 * record that links to it. A record that the viewer cannot see is null.
 */
export function linkedBy<O extends RepositoryRecord, T extends LinkedTable>(
  table: T,
  idOf: (owner: O) => number | null,
) {
  const read = linked(table)
  return async (view: View, owners: readonly O[]) => {
    const records = await read(view, owners.map(idOf))
    return owners.map(({ private: isPrivate, repository }, index) => {
      const record = records[index]
      if (!record) return null
      const shown = { private: isPrivate, ...record, repository }
      return canSee(view.viewer, repository, shown) ? shown : null
    })
  }
}
