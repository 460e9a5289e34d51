import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import type { Database } from '../../../src/store/tables.ts'
import { expectDeclared } from '../../support/declared-errors.ts'
import type { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { pushing } from './scene.ts'

export interface Made {
  id: number
  token: string
}

export interface TokenScene {
  anna: User & { token: string }
  web: Repository
  safe: Repository
}

/** Two private repositories, both of which Anna administers. */
export async function makeTokenScene(make: ReturnType<typeof factories>): Promise<TokenScene> {
  const anna = await make.user('anna')
  const [web, safe] = [
    await make.repository({ owner_name: 'acme', name: 'web', private: true }),
    await make.repository({ owner_name: 'acme', name: 'safe', private: true }),
  ]
  for (const repository of [web, safe]) await make.permission(anna, repository, 'admin')
  return { anna, web, safe }
}

export function tokenCalls(of: FastifyInstance) {
  const server = caller(of)

  /** Calls V3, with JSON; returns status and body. */
  async function call(asked: string, token?: string, body?: object) {
    const answer = await server(
      asked,
      {
        'service-api-version': '3',
        ...(token === undefined ? {} : { authorization: `token ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body === undefined ? undefined : JSON.stringify(body),
    )
    const shown: unknown = answer.body === '' ? '' : answer.json<unknown>()
    expectDeclared(asked, answer.statusCode, shown)
    return [answer.statusCode, shown] as const
  }

  async function made(asked: string, token: string, body: object): Promise<Made> {
    const [status, shown] = await call(asked, token, body)
    expect(status).toBe(201)
    return shown as Made
  }

  /** The statuses of calls of both generations that are made with a token. */
  async function statuses(token: string, ...asked: string[]): Promise<number[]> {
    const list: number[] = []
    for (const each of asked) {
      const [path = '', version = '2'] = each.split(' as ')
      const headers = {
        authorization: `token ${token}`,
        ...(version === '3' ? { 'service-api-version': '3' } : {}),
      }
      list.push((await server(path, headers)).statusCode)
    }
    return list
  }

  return { server, call, made, statuses }
}

/** A token of Anna's as she sees it. */
export const wholeToken = ({ id: userId }: TokenScene['anna'], id: number) => ({
  '@type': 'token',
  '@href': `/token/${id}`,
  '@representation': 'standard',
  '@permissions': { read: true, write: true },
  id,
  name: 'laptop',
  scopes: ['read'],
  sees_private: true,
  repositories: null,
  repository: null,
  created_by: {
    '@type': 'user',
    '@href': `/user/${userId}`,
    '@representation': 'minimal',
    '@permissions': { read: true, write: true, sync: true },
    id: userId,
    login: 'anna',
    name: 'Name of anna',
    vcs_type: 'CodehostUser',
    ro_mode: false,
  },
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
  last_used_at: null,
  expires_at: '2026-04-02T12:00:00Z',
  token: null,
})

/** A repository that Anna administers, as a token of hers shows it. */
export const inToken = ({ id, name }: Repository) => ({
  '@type': 'repository',
  '@href': `/repo/${id}`,
  '@representation': 'minimal',
  '@permissions': { ...pushing, admin: true },
  id,
  name,
  slug: `acme/${name}`,
})

/** What was recorded, in the order in which it was done. */
export async function recordsOf(db: Database) {
  const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
  return records.map(({ actor, action, subject_type, subject_id, details }) => ({
    actor,
    action,
    subject: `${subject_type} ${subject_id}`,
    changed: details.changed,
  }))
}

export const storedTokens = (db: Database) =>
  db.selectFrom('tokens').selectAll().where('application', '=', 3).execute()

/** What tokens get that may not make or show others. */
export const tokenLacking = [
  403,
  {
    '@type': 'error',
    error_type: 'insufficient_access',
    error_message: 'operation requires write access to token',
    permission: 'write',
    resource_type: 'token',
  },
]
