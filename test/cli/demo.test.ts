import { expect, test } from 'vitest'
import { command } from '../support/command.ts'

test('the demo shows the whole story and ends well', async () => {
  const { code, stdout } = await command(['demo', '--exit'], { env: { PORT: '0' } })
  expect(code).toBe(0)
  for (const line of [
    /delivery +push: made request 1/,
    /delivery +pull_request opened: made request 3/,
    /request +1 \(push\) accepted: a build is made/,
    /finding +warn \.service\.yml:16 there is no key "afer_success", it is read as "after_success"/,
    /job +1\.1 is started/,
    /log 1\.1 +hello, world!/,
    /job +1\.3 is passed/,
    /status +[0-9a-f]{7} continuous-integration\/service\/push: success/,
    /status +[0-9a-f]{7} continuous-integration\/service\/pr: success/,
    /token: bsvc_[0-9A-Za-z]{32}/,
  ]) {
    expect(stdout).toMatch(line)
  }
  expect(stdout.match(/^ {2}curl /gm)).toHaveLength(5)
}, 120_000)
