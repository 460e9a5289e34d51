import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v3Actions } from '../../../src/http/v3/endpoints.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { caller, unlimited } from '../door.ts'
import { type Endpoint, endpointsOf, isBelowRepository } from '../endpoints.ts'
import type { Statuses } from '../endpoints/statuses.ts'
import {
  otherSelectors,
  pathOf,
  type Question,
  questionsOfV2,
  questionsOfV3,
  selectors,
} from './hidden-questions.ts'
import { type HiddenRecords, kinds, makeHidden } from './hidden-records.ts'

const { db } = await ownDatabase()
const ctx = { ...testContext(db), rates: unlimited }
const server = await createServer(ctx)
const call = caller(server)

let records: HiddenRecords

beforeAll(async () => {
  records = await makeHidden(db, v3Client(server))
})

type Version = 'V2.1' | 'V3'
const questionsOf = { 'V2.1': questionsOfV2, V3: questionsOfV3 }
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

describe.each(['V2.1', 'V3'] as const)('%s responds alike', (version) => {
  describe.each(kinds)('for missing records and %s', (kind) => {
    test.each(callers)('to %s, on every path', async (who) => {
      const questions = questionsOf[version](records.hidden[kind])
      const headers = {
        ...versions[version],
        ...(who === 'nobody' ? {} : { authorization: `token ${records.stranger}` }),
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

test('each parameter that identifies a record is tested', () => {
  const accepted = [...v2Endpoints, ...v3Actions.map(({ endpoint }) => endpoint)].flatMap(
    ({ accepts }) => Object.keys(accepts),
  )
  const naming = accepted.filter((name) => /(?:^|[._])(?:ids?|slug|number|sha)$/.test(name))
  const asked = new Set([...Object.keys(selectors), 'ids'])
  expect([...new Set(naming)].filter((name) => !asked.has(name)).toSorted()).toEqual(
    [...new Set(otherSelectors)].toSorted(),
  )
})

/** Whether an endpoint names a record that others do not see. */
function hides(endpoint: Endpoint): boolean {
  const { path, row } = endpoint
  // What an owner has is hidden from all but its admins: its own tests ask for it. A preview is documented
  // at one path.
  if (!/[:*]/.test(path) || /^\/org\/|\/account_env_var\/|\/:preview$/.test(path)) return false
  const isHidden = ([member, other, nobody]: Statuses) =>
    other === 404 && (member !== 404 || nobody !== 404)
  return isBelowRepository(endpoint) || row.statuses.some(isHidden)
}

test.each(['V2.1', 'V3'] as const)(
  '%s is tested with each path that identifies a record',
  (version) => {
    const questions = kinds.flatMap((kind) => questionsOf[version](records.hidden[kind]))
    const asked = new Set(questions.map(({ of }) => pathOf(of)))
    const naming = endpointsOf(version === 'V3' ? 'v3' : 'v2').filter(hides)
    expect(naming.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([])
    expect(naming.length).toBeGreaterThan(40)
  },
)

// Else the two would be alike for no reason.
describe.each(['V2.1', 'V3'] as const)('%s shows to users who can see it', (version) => {
  test.each(kinds)('%s, on every path', async (kind) => {
    const questions = questionsOf[version](records.hidden[kind])
    const { knower } = records.hidden[kind]
    const headers = { ...versions[version], authorization: `token ${knower}` }
    const missing: string[] = []
    for (const question of questions) {
      ctx.pass(3600)
      const { status, body } = await answerTo(question, 0, headers)
      if (status === 404) missing.push(`${question.asked[0].call} ${body}`)
      if (!question.of.startsWith('GET')) await records.restore()
    }
    expect(missing).toEqual([])
  })
})
