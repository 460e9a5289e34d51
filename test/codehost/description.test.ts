import { expect, test } from 'vitest'
import { deviations } from '../support/codehost/description.ts'
import type { RecordedCall } from '../support/codehost/server.ts'

const recorded: RecordedCall = {
  ...{ call: 'POST /repositories/7/statuses/abc', as: 'app', headers: {}, status: 0 },
  ...{ body: { state: 'success' }, answer: undefined },
}
const of = (given: Partial<RecordedCall>) =>
  deviations({ calls: [{ ...recorded, status: 403, answer: {}, ...given }], deliveries: [] })

test.each([
  [{ call: 'GET /repositories/7/nonsense' }, /^GET \/repositories\/7\/nonsense is not described$/],
  [{ body: { state: 'success', id: 7 } }, /^POST .*: the body has no id$/],
  [{ body: { state: 'great' } }, /body at \/state: must be equal to one of the allowed values/],
  [{ status: 200 }, /: it does not respond with 200$/],
  [{ status: 201 }, /: 201 at \/: must have required property 'url'/],
  [{ call: 'GET /users/ada?page=1', body: {} }, /: there is no parameter page$/],
  [
    { call: 'GET /app/installations?per_page=x', body: {} },
    /: the parameter per_page cannot be x$/,
  ],
] as const)('a deviation from the published description is reported: %j', (given, problem) => {
  expect(of(given)).toContainEqual(expect.stringMatching(problem))
})

test('a webhook that the code host would not send is reported', () => {
  const request = { headers: {}, payload: { ref: 'refs/heads/main' } }
  const delivery = {
    ...{ id: 1, guid: 'guid', delivered_at: new Date(0), redelivery: false, status_code: 204 },
    ...{ status: 'OK', event: 'push', action: null, url: '', installation_id: null },
    ...{ repository_id: null, request, response: { headers: {}, payload: null } },
  }
  expect(deviations({ calls: [], deliveries: [delivery] })).toContainEqual(
    expect.stringMatching(/^webhook push at \/: must have required property 'after'/),
  )
})

test('a request that matches the description is not reported', () => {
  expect(deviations({ calls: [recorded], deliveries: [] })).toEqual([])
})
