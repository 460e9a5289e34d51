import { sql } from 'kysely'
import { batchesOf } from '../domain/batches.ts'
import type { RequestMessage } from '../domain/request/request.ts'
import { mostRows } from './most-rows.ts'
import { type Database, json } from './tables.ts'

export async function insertMessages(
  db: Database,
  requestId: number,
  messages: readonly Omit<RequestMessage, 'id' | 'request_id'>[],
): Promise<void> {
  for (const batch of batchesOf(messages, mostRows)) {
    const rows = batch.map((message) => ({
      ...message,
      request_id: requestId,
      key: json(message.key),
      args: json(message.args),
    }))
    await db.insertInto('request_messages').values(rows).execute()
  }
}

export function messagesOfRequest(db: Database, requestId: number): Promise<RequestMessage[]> {
  return db
    .selectFrom('request_messages')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy(sql`array_position(array['alert','error','warn','info'], level)`)
    .orderBy('id')
    .execute()
}
