import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { exampleOf } from '../../../src/http/openapi/example.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v3Actions } from '../../../src/http/v3/endpoints.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { caller } from '../door.ts'
import { expand } from '../v3/hypermedia.ts'
import { type Furnished, makeWorld } from '../v3/world.ts'

const { db } = await ownDatabase()
const ctx = testContext(db)
const call = caller(await createServer(ctx))

/** A value that names something hidden, and one as long that names nothing. */
type Pair = readonly [hidden: string, missing: string]

/** What is hidden: a private repository with all that it has, or what a public one made in private. */
let hidden: Record<'a private repository' | 'what was made in private', Record<string, Pair>>
let stranger = ''
let administrator = ''

const missingId = '9'

beforeAll(async () => {
  const world = await makeWorld(db)
  stranger = world.people.stranger.token
  administrator = world.people.admin.token
  const { open: shown, secret, inPrivate } = world
  const open = String(shown.repository.id)
  const recordsOf = ({ build, job, request, env_var }: Furnished): Record<string, Pair> => ({
    build: [String(build.id), missingId],
    job: [String(job), missingId],
    log: [String(job), missingId],
    request: [String(request), missingId],
    env_var: [env_var, `${env_var.slice(0, -1)}9`],
  })
  hidden = {
    'a private repository': {
      ...recordsOf(secret),
      repository: [String(secret.repository.id), missingId],
      slug: ['acme/hidden', 'acme/absent'],
    },
    'what was made in private': {
      ...recordsOf(inPrivate),
      repository: [open, open],
      slug: ['octavia/hello', 'octavia/hello'],
    },
  }
})

type Kind = keyof typeof hidden
const kinds = ['a private repository', 'what was made in private'] as const satisfies Kind[]

interface Asked {
  /** `GET /repo/2`. */
  call: string
  body?: string
}

/** What is asked of something hidden and of something missing, and the words that differ. */
interface Question {
  asked: readonly [Asked, Asked]
  given: readonly [string[], string[]]
}

/** Makes both calls at once; nothing to ask where the two would be the same call. */
function questionOf(ask: (value: (pair: Pair) => string) => Asked | undefined): Question[] {
  const given: [string[], string[]] = [[], []]
  const side = (index: 0 | 1) =>
    ask((pair) => {
      given[index].push(pair[index])
      return pair[index]
    })
  const [one, other] = [side(0), side(1)]
  if (!one || !other || (one.call === other.call && one.body === other.body)) return []
  return [{ asked: [one, other], given }]
}

const writes = ({ method }: Endpoint) => method !== 'GET' && method !== 'DELETE'

/** Something that the parameters of a write can be, but for those that name what it is about. */
function bodyFor(endpoint: Endpoint): { body?: string } {
  if (!writes(endpoint)) return {}
  const values = Object.entries(endpoint.accepts)
    .filter(([name]) => !(name in selectors))
    .map(([name, { schema }]) => [name, exampleOf(schema, {})])
  return { body: JSON.stringify(Object.fromEntries(values)) }
}

/** Variables of V3's templates that name what is never hidden. */
const publicNames: Readonly<Record<string, Pair>> = {
  provider: ['codehost', 'codehost'],
  'user.id': ['1', '1'],
  'organization.id': ['1', '1'],
  login: ['acme', 'acme'],
  codehost_id: ['1', '1'],
}

function pairOf(of: Readonly<Record<string, Pair>>, name: string): Pair {
  const [type = '', key] = name.split('.')
  if (key === 'slug') return of.slug ?? ['', '']
  return publicNames[name] ?? of[type] ?? (key === 'id' ? ['1', missingId] : ['main', 'main'])
}

const questionsOfV3 = (kind: Kind): Question[] =>
  v3Actions.flatMap(({ templates, endpoint }) =>
    templates.flatMap((template) =>
      questionOf((value) => {
        const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
        const values = names.map((name) => [name, value(pairOf(hidden[kind], name))])
        const path = expand(template, Object.fromEntries(values) as Record<string, string>)
        return { call: `${endpoint.method} ${path}`, ...bodyFor(endpoint) }
      }),
    ),
  )

/** What the variables of V2.1's paths name. */
const variablesOfV2: Readonly<Record<string, string>> = { id: 'repository', hook: 'repository' }

/** The parameters of V2.1 by which something is named, and what they name. */
const selectors: Readonly<Record<string, string>> = {
  repository_id: 'repository',
  slug: 'slug',
  'hook.id': 'repository',
  id: 'repository',
  build_id: 'build',
  job_id: 'job',
}

function pathsOfV2(endpoint: Endpoint, value: (name: string) => string): string[] {
  return endpoint.paths.map((path) =>
    path.replaceAll(/:(\w+)(?:\(\^.*?\$\))?|\*/g, (whole, name: string) => {
      if (whole === '*') return 'main'
      if (name === 'owner' || name === 'name') {
        return value('slug').split('/')[name === 'owner' ? 0 : 1] ?? ''
      }
      return name === 'user' ? '1' : value(variablesOfV2[name] ?? name)
    }),
  )
}

function questionsOfV2(kind: Kind): Question[] {
  const of = hidden[kind]
  return v2Endpoints.flatMap((endpoint) => {
    const { method, accepts, paths } = endpoint
    const queries = [
      () => '',
      ...Object.keys(accepts)
        .filter((name) => name in selectors)
        .map(
          (name) => (value: (of: string) => string) =>
            `?${name}=${encodeURIComponent(value(selectors[name] ?? ''))}`,
        ),
      ...('ids' in accepts ? ['repository', 'build', 'job'] : []).map(
        (type) => (value: (of: string) => string) => `?ids=${value(type)}`,
      ),
    ]
    return paths.flatMap((_path, variant) =>
      queries.flatMap((query) =>
        questionOf((choose) => {
          const value = (name: string) => choose(of[name] ?? ['main', 'main'])
          const path = pathsOfV2(endpoint, value)[variant] ?? ''
          return { call: `${method} ${path}${query(value)}`, ...bodyFor(endpoint) }
        }),
      ),
    )
  })
}

type Version = 'V2.1' | 'V3'
const versions: Readonly<Record<Version, Record<string, string>>> = {
  'V2.1': { accept: 'application/vnd.service.2.1+json, */*;q=0.5' },
  V3: { 'service-api-version': '3' },
}

/** The whole answer to one of the two, without what the caller gave. */
async function answerTo({ asked, given }: Question, index: 0 | 1, headers: Record<string, string>) {
  const { call: wanted, body } = asked[index]
  const sent = { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const answer = await call(wanted, sent, body)
  const { date: _date, ...others } = answer.headers
  const without = (text: string) =>
    [...new Set([...given[index], ...given[index].map(encodeURIComponent)])]
      .toSorted((a, b) => b.length - a.length)
      .reduce((left, word) => left.replaceAll(new RegExp(`(?<!\\w)${word}(?!\\w)`, 'g'), '#'), text)
  return { status: answer.statusCode, headers: others, body: without(answer.body) }
}

const callers = ['a stranger', 'nobody'] as const

describe.each(['V2.1', 'V3'] as const)('%s answers alike', (version) => {
  describe.each(kinds)('what is missing and %s', (kind) => {
    test.each(callers)('to %s, by every path', async (who) => {
      const questions = version === 'V3' ? questionsOfV3(kind) : questionsOfV2(kind)
      const headers = {
        ...versions[version],
        ...(who === 'nobody' ? {} : { authorization: `token ${stranger}` }),
      }
      for (const question of questions) {
        // Of some calls there are only so many for now.
        ctx.pass(3600)
        const [one, other] = [
          await answerTo(question, 0, headers),
          await answerTo(question, 1, headers),
        ]
        expect({ asked: question.asked[0].call, ...one }).toEqual({
          asked: question.asked[0].call,
          ...other,
        })
      }
    })
  })
})

/** Parameters that look as if they named something, and why nothing is asked by them. */
const otherSelectors: Readonly<Record<string, string>> = {
  number: 'a filter of builds, of the repository that is asked about by each path',
  after_number: 'the same',
  'notification.build_id': 'a filter of what only admins of the repository see',
  'audit_record.subject_id': 'a filter of what only administrators see',
  'repository.slug': 'the same',
  'request.sha': 'a commit at the code host, for those who can push',
  socket_id: 'a connection of the caller',
}

test('each parameter that names something is asked by', () => {
  const accepted = [...v2Endpoints, ...v3Actions.map(({ endpoint }) => endpoint)].flatMap(
    ({ accepts }) => Object.keys(accepts),
  )
  const naming = accepted.filter((name) => /(?:^|[._])(?:ids?|slug|number|sha)$/.test(name))
  const asked = new Set([...Object.keys(selectors), 'ids'])
  expect([...new Set(naming)].filter((name) => !asked.has(name)).toSorted()).toEqual(
    Object.keys(otherSelectors).toSorted(),
  )
})

// Else the two would be alike for no reason.
test.each(['V2.1', 'V3'] as const)(
  '%s: to the administrator most reads differ',
  async (version) => {
    const questions = version === 'V3' ? questionsOfV3(kinds[0]) : questionsOfV2(kinds[0])
    const reads = questions.filter(({ asked }) => asked[0].call.startsWith('GET'))
    const headers = { ...versions[version], authorization: `token ${administrator}` }
    const differ: boolean[] = []
    for (const read of reads) {
      const [one, other] = [await answerTo(read, 0, headers), await answerTo(read, 1, headers)]
      differ.push(one.status !== other.status || one.body !== other.body)
    }
    expect(reads.length).toBeGreaterThan(10)
    expect(differ.filter(Boolean).length).toBeGreaterThan(reads.length / 2)
  },
)
