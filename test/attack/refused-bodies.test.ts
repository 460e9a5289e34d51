import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { CountedBody } from '../../src/http/bodies/body-budget.ts'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))
await server.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => server.close())

test.each([
  ['declares too large a size', 'content-length: 300000'],
  ['turns out to be too large', 'transfer-encoding: chunked'],
])('a body that %s is released when the response is sent', async (_, header) => {
  const destroyed = vi.spyOn(CountedBody.prototype, 'destroy')
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  const chunk = `${(300_000).toString(16)}\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`
  const body = header.startsWith('transfer') ? chunk : 'x'.repeat(300_000)
  socket.write(`POST /lint HTTP/1.1\r\nhost: localhost\r\n${header}\r\nconnection: close\r\n\r\n`)
  socket.write(body)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
  // Otherwise its deadline would end the body later, with an error that no one handles.
  await vi.waitFor(() => expect(destroyed).toHaveBeenCalledWith())
  socket.destroy()
  destroyed.mockRestore()
})
