import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { outcomeOf, scratchFolder } from '../support/command.ts'
import { installedLinter } from '../support/linter.ts'

const linter = installedLinter()

test('large output arrives completely, even through a pipe that is blocked for a while', async () => {
  const folder = scratchFolder()
  const file = path.join(folder, '.service.yml')
  writeFileSync(file, Array.from({ length: 4000 }, (_, index) => `key_${index}: 1\n`).join(''))
  const args = ['lint', '--format', 'json', file]
  const whole = await linter.run(args)
  expect(whole.stdout.length).toBeGreaterThan(500_000)

  const server = createServer().listen(path.join(folder, 'socket'))
  onTestFinished(() => void server.close())
  const output = createConnection(path.join(folder, 'socket'))
  const [reader] = (await once(server, 'connection')) as [Socket]
  // As the standard output itself, the socket would be made blocking.
  const child = spawn('sh', ['-c', 'exec "$@" >&3', 'sh', ...linter.line(args)], {
    stdio: ['ignore', 'ignore', 'inherit', output],
  })
  output.destroy()
  // Once the first output has arrived, the rest waits for a reader.
  await once(reader, 'readable')
  const received = Buffer.concat(await reader.toArray()).toString()
  expect(received).toBe(whole.stdout)
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(whole.code)
})

const fullDisk = '/dev/full'

test.runIf(existsSync(fullDisk))('a failure to write the output is reported', async () => {
  const line = ['-c', `exec "$@" > ${fullDisk}`, 'sh', ...linter.line(['lint', '--help'])]
  expect(await outcomeOf(spawn('sh', line))).toMatchObject({
    code: 2,
    stderr: 'build-service: its output cannot be written: ENOSPC\n',
  })
})
