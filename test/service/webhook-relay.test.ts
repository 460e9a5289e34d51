import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, expect, test } from 'vitest'
import { createServer as createDoor } from '../../src/http/server.ts'
import { sign } from '../../src/secrets/signature.ts'
import { openRelay } from '../../src/service/registration/webhook-relay.ts'
import type { NewDelivery } from '../../src/store/deliveries/deliveries.ts'
import { eventually } from '../support/app-story.ts'
import { testContext, testLog } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'

/** A relay like smee.io, to which one subscriber after the other connects. */
async function openChannel() {
  const connected: ServerResponse[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('event: ready\ndata: {}\n\n')
    connected.push(response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/channel`, connected }
}

function eventOf(guid: string, secret = 'secret'): string {
  const body = { ref: 'refs/heads/main', repository: { id: 7, private: false }, text: 'é\n' }
  const data = {
    ...{ 'x-github-event': 'push', 'x-github-delivery': guid, host: 'smee.io' },
    'x-hub-signature-256': sign(secret, Buffer.from(JSON.stringify(body))),
    ...{ 'content-type': 'application/json', body, query: {}, timestamp: 1 },
  }
  return `id: 1\ndata: ${JSON.stringify(data)}\n\n`
}

test('webhooks from a relay arrive at our own endpoint, even after the relay was unreachable', async () => {
  const ctx = testContext(await testDatabase())
  const accepted: NewDelivery[] = []
  ctx.intake.accept = async (delivery) => accepted.push(delivery) > 0
  const door = await createDoor(ctx)
  onTestFinished(() => door.close())
  const url = await door.listen({ port: 0, host: '127.0.0.1' })
  const channel = await openChannel()
  const target = `${url}/webhooks/codehost`
  const relay = openRelay({ relay: channel.url, target, log: testLog })
  onTestFinished(() => relay.close())

  const guids = () => accepted.map(({ guid }) => guid)
  await eventually(() => expect(channel.connected).toHaveLength(1))
  const [first] = channel.connected
  const text = Buffer.from(
    `event: ping\ndata: {}\n\n${eventOf('forged', 'wrong')}${eventOf('one')}`,
  )
  // The data can arrive in any pieces, even split within a character.
  const middle = text.indexOf(Buffer.from('é')) + 1
  first?.write(text.subarray(0, middle))
  first?.write(text.subarray(middle))
  await eventually(() => expect(guids()).toEqual(['one']))
  expect(accepted[0]).toMatchObject({ event: 'push', repository_codehost_id: 7 })

  first?.end()
  await eventually(() => expect(channel.connected).toHaveLength(2))
  channel.connected[1]?.write(eventOf('two'))
  await eventually(() => expect(guids()).toEqual(['one', 'two']))
})
