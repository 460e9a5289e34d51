import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach } from 'vitest'
import { fakeScene } from './scene.ts'

export interface Received {
  name: string
  id: string
  payload: Record<string, unknown>
}

const events = [
  ...['push', 'pull_request', 'create', 'delete', 'repository', 'public', 'member'],
  ...['organization', 'merge_group'],
]

/** A fake code host, and a server that accepts its webhooks if Probot verifies their signatures. */
export async function webhookScene() {
  const scene = await fakeScene({ app: { events } })
  const { host, probot } = scene
  await probot.ready()
  const received: Received[] = []
  let status = 200

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request
    const body = await text(request)
    const signature = String(headers['x-hub-signature-256'])
    if (!(await probot.webhooks.verify(body, signature))) return void response.writeHead(401).end()
    received.push({
      name: String(headers['x-github-event']),
      id: String(headers['x-github-delivery']),
      payload: JSON.parse(body) as Record<string, unknown>,
    })
    response.writeHead(status).end('taken')
  }

  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
  afterAll(() => void server.close())
  afterEach(() => {
    received.length = 0
    status = 200
    host.setWebhookUrl(undefined)
  })

  return {
    ...scene,
    events,
    received,
    webhookUrl,
    /** The events that arrived, with their actions. */
    names: () => received.map(({ name, payload }) => [name, payload.action].join(' ').trim()),
    answerWith: (given: number) => void (status = given),
    /** A repository with a commit; the app is notified of all later events. */
    async watched(given: Parameters<typeof scene.makeRepository>[0] = {}) {
      const repository = await scene.makeRepository({ files: { file: 'x' }, ...given })
      host.setWebhookUrl(webhookUrl)
      return { repository, installation: host.refTo(repository).installation }
    },
  }
}
