import { expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { missing, noJobWrites } from './build-scene.ts'

const db = await testDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

const begun = Date.parse('2026-05-04T10:00:00Z')

/** A log whose parts came at these milliseconds after its beginning. */
async function logOf(
  parts: readonly (readonly [content: string, after: number])[],
  given: { private?: boolean } = {},
) {
  const build = await make.build({ repository: await make.repository(given), state: 'passed' })
  const job = await make.job({ build, state: 'passed' })
  await make.log(job, ...parts.map(([content]) => content))
  for (const [index, [, after]] of parts.entries()) {
    await db
      .updateTable('log_parts')
      .set({ created_at: new Date(begun + after) })
      .where('number', '=', index + 1)
      .execute()
  }
  return job
}

const { prioritize: _prioritize, ...reading } = noJobWrites

test('the times of a log have an entry for each second with a new line', async () => {
  const { id } = await logOf([
    ['one\ntwo\n', 0],
    ['three\n', 900],
    ['four\nfive\n', 2100],
    ['six\n', 2900],
    ['seven\n', 65_000],
  ])
  expect(await call(`GET /job/${id}/log/times`)).toEqual({
    status: 200,
    body: {
      '@type': 'log_times',
      '@href': `/job/${id}/log/times`,
      '@representation': 'standard',
      '@permissions': reading,
      attempt: 1,
      begun_at: '2026-05-04T10:00:00.000Z',
      lines: [
        { line: 1, seconds: 0 },
        { line: 4, seconds: 2 },
        { line: 7, seconds: 65 },
      ],
    },
  })
})

test.each<[string, readonly [string, number][], [line: number, seconds: number][]]>([
  [
    'a line counts from the part in which it begins',
    [
      ['one\ntw', 0],
      ['o\nthree\n', 5000],
    ],
    [
      [1, 0],
      [3, 5],
    ],
  ],
  [
    'a line in many parts is one line',
    [
      ['one', 0],
      ['.', 1000],
      ['.\ntwo', 2000],
      ['\nthree\n', 3000],
    ],
    [
      [1, 0],
      [2, 2],
      [3, 3],
    ],
  ],
  [
    'a part with an earlier time than the part before it counts at the later time',
    [
      ['one\n', 0],
      ['two\n', 9000],
      ['three\n', 4000],
    ],
    [
      [1, 0],
      [2, 9],
    ],
  ],
  [
    'the end of a line begins no other line',
    [
      ['one', 0],
      ['.', 1000],
      ['\n', 2000],
    ],
    [[1, 0]],
  ],
  ['an empty log has no times', [['', 0]], []],
])('%s', async (_name, parts, expected) => {
  const { id } = await logOf(parts)
  expect(await call(`GET /job/${id}/log/times`)).toMatchObject({
    body: { lines: expected.map(([line, seconds]) => ({ line, seconds })) },
  })
})

test('the times of a log are hidden like the log', async () => {
  const { id } = await logOf([['one\n', 0]], { private: true })
  expect(await call(`GET /job/${id}/log/times`)).toEqual(missing('job'))
})
