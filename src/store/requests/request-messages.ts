import { sql } from 'kysely'
import type { RequestMessage } from '../../domain/request/request.ts'
import { prepared } from '../sql/prepared-statements.ts'
import { type Database, json } from '../tables.ts'

// One value for all messages, so that the text of the statement is always the same. For `json`, see
// `insertedJobs`.
const inserted = prepared(`
  insert into request_messages (request_id, level, key, code, args, text, src, line, "column")
  select $1::bigint, level, key::jsonb, code, args::jsonb, text, src, line, "column"
  from rows from (
    json_to_recordset($2::json) as (level text, key json, code text, args json, text text,
      src text, line int, "column" int)
  ) with ordinality
  order by ordinality
`)

export async function insertMessages(
  db: Database,
  requestId: number,
  messages: readonly Omit<RequestMessage, 'id' | 'request_id'>[],
): Promise<void> {
  if (messages.length > 0) await inserted(db, requestId, json(messages))
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
