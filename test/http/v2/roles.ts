import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../src/store/tables.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

export const roles = ['admin', 'pusher', 'reader', 'other', 'no one', 'wrong'] as const
export type Role = (typeof roles)[number]

/** The tokens of callers who have none. */
export const nobody: Record<Role, string | undefined> = {
  admin: undefined,
  pusher: undefined,
  reader: undefined,
  other: undefined,
  'no one': undefined,
  wrong: 'bsvc_wrong',
}

/** Repository 1, acme/web, is public, and repository 2, acme/safe, private; three users have a role on both. */
export async function makeRoles(db: Database): Promise<Record<Role, string | undefined>> {
  const make = factories(db)
  const both = [
    await make.repository({ owner_name: 'acme', name: 'web' }),
    await make.repository({ owner_name: 'acme', name: 'safe', private: true }),
  ]
  const tokens = { ...nobody, other: (await make.user('other')).token as string | undefined }
  const granted = { admin: 'admin', pusher: 'push', reader: 'pull' } as const
  for (const [who, role] of Object.entries(granted)) {
    const user = await make.user(who)
    tokens[who as Role] = user.token
    for (const repository of both) await make.permission(user, repository, role)
  }
  return tokens
}

const formType = 'application/x-www-form-urlencoded'

/** Calls like the official client, which labels its bodies as forms; returns status and body. */
export function clientOf(server: FastifyInstance, tokens: Record<Role, string | undefined>) {
  const call = caller(server)
  return async (who: Role, asked: string, body?: string | object, type = formType) => {
    const token = tokens[who]
    const answer = await call(
      asked,
      {
        accept: 'application/vnd.service.2.1+json',
        ...(token === undefined ? {} : { authorization: `token ${token}` }),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      typeof body === 'object' ? JSON.stringify(body) : body,
    )
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return [answer.statusCode, isJson ? answer.json<unknown>() : answer.body] as const
  }
}

/** What every endpoint that needs a login answers to these two. */
export const noLogin = [401, 'no access token supplied'] as const
export const wrongToken = [403, 'access denied'] as const

export const fileMissing = [404, { file: 'not found' }] as const
export const repositoryMissing = [404, { error: "Couldn't find repository" }] as const
export const settingMissing = [404, { error: 'Could not find a requested setting' }] as const

export const invalid = (...errors: object[]) =>
  [422, { message: 'Validation failed', errors }] as const

/** What those get who may use something, those who only may not, and those without a valid token. */
export const byRole = (done: readonly unknown[], missing: readonly unknown[]) =>
  ({
    admin: done,
    pusher: done,
    reader: missing,
    other: missing,
    'no one': noLogin,
    wrong: wrongToken,
  }) satisfies Record<Role, readonly unknown[]>

/** What was recorded of changes, without when. */
export async function audited(db: Database) {
  const rows = await db
    .selectFrom('audit_records')
    .select(['actor', 'action', 'subject_type', 'subject_id', 'details'])
    .orderBy('id')
    .execute()
  return rows.map(({ actor, action, subject_type, subject_id, details }) => ({
    actor,
    action,
    subject: `${subject_type} ${subject_id}`,
    changed: details.changed,
    address: details.address,
    byToken: details.token_id !== null,
  }))
}

/** Ids that no record can have. */
export const badIds = ['0', '-1', 'x', '1x', '9223372036854775808', '99999999999999999999', '%00']
