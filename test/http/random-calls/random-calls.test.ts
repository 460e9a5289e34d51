// Calls that the documents of the API describe, drawn at random, whose answers are held against them.
//
// The calls of a seed are the same each time, and a larger number of them begins with those of a smaller one:
//   RANDOM_CALLS=2500 RANDOM_CALLS_SEED=7 npx vitest run test/http/random-calls
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OpenApi } from '../../../src/http/openapi/operation.ts'
import { caller } from '../door.ts'
import { judgeOf } from '../openapi.ts'
import type { World } from '../v3/world.ts'
import { anyCall, type RandomCall } from './call.ts'
import { names, openService } from './scene.ts'

const { RANDOM_CALLS, RANDOM_CALLS_SEED } = process.env
const count = Number(RANDOM_CALLS ?? 150)
const seed = Number(RANDOM_CALLS_SEED ?? 1)

/** After so many calls all is there again that some of them have changed or deleted. */
const callsOfWorld = 40

const { server, renew } = await openService()

/** Calls without any that came before. */
function distinctCalls(document: OpenApi): RandomCall[] {
  const drawn = fc.sample(fc.noBias(anyCall(document, names)), { seed, numRuns: 2 * count })
  return [...new Map(drawn.map((call) => [JSON.stringify(call), call])).values()].slice(0, count)
}

async function tokenOf({ who }: RandomCall, { people, token }: World): Promise<string | undefined> {
  if (who === 'admin') return token()
  return who === 'stranger' ? people.stranger.token : who === 'wrong' ? 'none' : undefined
}

function authorization({ scheme }: RandomCall, token: string): string {
  return scheme === 'Basic'
    ? `Basic ${Buffer.from(`${token}:x`).toString('base64')}`
    : `${scheme} ${token}`
}

const withToken = (payload: string, token: string) => payload.replaceAll(/(?:\$|%24)TOKEN/g, token)

async function answerTo(call: RandomCall, base: string, world: World) {
  const { method, path, headers, payload } = call
  const token = await tokenOf(call, world)
  const sent = token === undefined ? {} : { authorization: authorization(call, token) }
  const answer = await server.inject({
    method: method as 'GET',
    url: base + path,
    headers: { ...headers, ...sent },
    // Examples have a word for the caller's token.
    ...(payload === undefined ? {} : { payload: withToken(payload, token ?? 'none') }),
  })
  const { statusCode: status, body } = answer
  const type = answer.headers['content-type']?.toString()
  return { status, type, body: type?.includes('json') ? (JSON.parse(body) as unknown) : body }
}

test.each(['/docs/v2.1.json', '/docs/v3.json'])(
  'no response contradicts %s, and none is a server error',
  { timeout: 60_000 + 200 * count },
  async (url) => {
    const document = (await caller(server)(`GET ${url}`)).json<OpenApi>()
    const { problemsOf } = judgeOf(document)
    const base = new URL(document.servers[0]?.url ?? '').pathname.replace(/\/$/, '')
    const calls = distinctCalls(document)
    expect(calls).toHaveLength(count)
    let world = await renew()
    const wrong = []
    for (const [index, call] of calls.entries()) {
      if (index > 0 && index % callsOfWorld === 0) world = await renew()
      const answer = await answerTo(call, base, world)
      const problems = problemsOf({ ...call, ...answer })
      if (answer.status >= 500 || problems.length > 0) wrong.push({ call, answer, problems })
    }
    expect(wrong).toEqual([])
  },
)
