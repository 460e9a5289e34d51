import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { command, scratchFolder } from '../support/command.ts'

test('the demo shows every hop and passes, even if its port is in use', async () => {
  const other = createServer().on('error', () => {})
  other.listen(3000, '127.0.0.1')
  await Promise.race([once(other, 'listening'), once(other, 'error')])
  const { code, stdout } = await command(['demo', '--exit'])
  other.close()
  expect(code).toBe(0)
  // A push and the pull request that it belongs to are processed side by side.
  for (const line of [
    /webhook +push \(main [0-9a-f]{7}\): created request 1/,
    /webhook +push \(louder [0-9a-f]{7}\): created request [23]/,
    /webhook +pull_request opened \(louder [0-9a-f]{7}, pull request 1\): created request [23]/,
    /request +1 \(push\) accepted: a build is created/,
    /finding +warn \.service\.yml:16 unknown key "afer_success", read as "after_success"/,
    /job +1\.1 is started/,
    /log 1\.1 +hello, world!/,
    /job +1\.3 is passed/,
    /status +[0-9a-f]{7} continuous-integration\/service\/push: success/,
    /status +[0-9a-f]{7} continuous-integration\/service\/pr: success/,
  ]) {
    expect(stdout).toMatch(line)
  }
  // A service that has ended serves no calls.
  expect(stdout).not.toMatch(/token|curl/)
}, 120_000)

test('the demo refuses a folder that is not empty, and leaves the folder unchanged', async () => {
  const folder = scratchFolder()
  writeFileSync(path.join(folder, 'thesis.txt'), '')
  expect(await command(['demo'], { env: { DATA_DIR: folder } })).toEqual({
    code: 78,
    stdout: '',
    stderr:
      `build-service: the folder ${folder} is not empty: ` +
      'set DATA_DIR to an empty one for the demo, or unset it to use a temporary one\n',
  })
  expect(readdirSync(folder)).toEqual(['thesis.txt'])
})
