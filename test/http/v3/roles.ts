import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../src/store/tables.ts'
import { expectDeclared } from '../../support/declared-errors.ts'
import { caller } from '../door.ts'
import { makeRoles, type Role } from '../v2/roles.ts'
import { knowing, pushing } from './scene.ts'

export type Answer = readonly [status: number, body: unknown]

/**
 * Calls as one of the roles on repositories 1, which is public, and 2, which is private (`v2/roles.ts`).
 * The body is JSON. An answer without a body has null. Throws for errors that the document of the
 * call does not name.
 */
export async function callerOf(server: FastifyInstance, db: Database) {
  const tokens = await makeRoles(db)
  const call = caller(server)
  return async (who: Role, asked: string, body?: unknown): Promise<Answer> => {
    const token = tokens[who]
    const answer = await call(
      asked,
      {
        'service-api-version': '3',
        ...(token === undefined ? {} : { authorization: `token ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body === undefined ? undefined : JSON.stringify(body),
    )
    const shown = answer.body === '' ? null : answer.json<unknown>()
    expectDeclared(asked, answer.statusCode, shown)
    return [answer.statusCode, shown]
  }
}

const error = (error_type: string, error_message: string, members: object = {}) => ({
  '@type': 'error',
  error_type,
  error_message,
  ...members,
})

export const noLogin: Answer = [403, error('login_required', 'login required')]
export const wrongToken: Answer = [403, error('wrong_credentials', 'access denied')]

export const missing = (resource_type: string): Answer => [
  404,
  error('not_found', `${resource_type} not found (or insufficient access)`, { resource_type }),
]

export const refused = (error_type: string, status: number, error_message: string): Answer => [
  status,
  error(error_type, error_message),
]

/** Repository 1 in short, as those see it who cannot push. */
export const webToReaders = {
  '@type': 'repository',
  '@href': '/repo/1',
  '@representation': 'minimal',
  '@permissions': knowing,
  id: 1,
  name: 'web',
  slug: 'acme/web',
}

/** The same, as those see it who can. */
export const webToPushers = { ...webToReaders, '@permissions': pushing }

/** What those are told who can see a repository and not push to it. */
function cannotWriteTo(id: 1 | 2): Answer {
  const name = id === 1 ? 'web' : 'safe'
  const repository = { ...webToReaders, '@href': `/repo/${id}`, id, name, slug: `acme/${name}` }
  const members = { permission: 'write', resource_type: 'repository', repository }
  const message = 'operation requires write access to repository'
  return [403, error('insufficient_access', message, members)]
}

export const cannotWrite = cannotWriteTo(1)

/** What those get who cannot push to repositories 1 and 2, and of 9, which does not exist. */
export const refusals = [
  ['reader', cannotWrite, cannotWriteTo(2), missing('repository')],
  ['other', cannotWrite, missing('repository'), missing('repository')],
  ['no one', noLogin, noLogin, noLogin],
  ['wrong', wrongToken, wrongToken, wrongToken],
] as const

/** What those get who must not learn whether repository 1 has a record. */
export const hiddenAs = (type: string) =>
  [
    ['reader', missing(type)],
    ['other', missing(type)],
    ['no one', noLogin],
    ['wrong', wrongToken],
  ] as const

/** The four forms of a path to repository 1. */
export const forms = ['/repo/1', '/repo/acme%2Fweb', '/repo/codehost/1', '/repo/github/acme%2Fweb']

/** How many rows there are, to see that nothing was written. */
export async function rowCounts(db: Database): Promise<Record<string, number>> {
  const tables = [
    'audit_records',
    'caches',
    'crons',
    'env_vars',
    'key_pairs',
    'requests',
    'ssh_keys',
  ] as const
  const counts = await Promise.all(
    tables.map(async (table) => {
      const { count } = await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return [table, Number(count)] as const
    }),
  )
  return Object.fromEntries(counts)
}
