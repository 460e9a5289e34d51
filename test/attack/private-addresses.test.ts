import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGuard } from '../../src/notify/guard.ts'
import { NotifyError } from '../../src/notify/notify-error.ts'
import { post } from '../../src/notify/post.ts'

const open = createGuard({ allowed: [], resolve: async () => ['93.184.216.34'] })
const allowedBy = async (url: string, guard = open) => {
  try {
    await guard.addressesOf(new URL(url))
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(NotifyError)
    return false
  }
}

describe('a URL set by a user', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.0.0.1/',
    'http://192.168.1.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[0:0:0:0:0:ffff:10.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fc00::1]/',
    'http://[fd12:3456:789a::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
  ])('is not called at %s', async (url) => {
    expect(await allowedBy(url)).toBe(false)
  })

  test.each([
    'http://93.184.216.34/',
    'http://172.32.0.1/',
    'http://[2606:2800:220:1::1]/',
    'http://[::ffff:93.184.216.34]/',
    'http://[64:ff9b::5db8:d822]/',
    'http://hooks.example.org/',
  ])('is called at %s', async (url) => {
    expect(await allowedBy(url)).toBe(true)
  })

  test.each([
    [['127.0.0.1']],
    [['93.184.216.34', '10.0.0.1']],
    [['::1']],
    [['fe80::1%eth0']],
    [['::ffff:192.168.0.1']],
    [['no address']],
    [[]],
  ])('is not called if its name resolves to %j', async (addresses) => {
    const guard = createGuard({ allowed: [], resolve: async () => addresses })
    expect(await allowedBy('http://hooks.example.org/', guard)).toBe(false)
  })

  test('is called in a network that the operator allows, and in no other', async () => {
    const guard = createGuard({ allowed: ['10.1.0.0/16', '192.168.7.7', 'fd00:1::/32'] })
    expect(await allowedBy('http://10.1.2.3/', guard)).toBe(true)
    expect(await allowedBy('http://[::ffff:10.1.2.3]/', guard)).toBe(true)
    expect(await allowedBy('http://192.168.7.7/', guard)).toBe(true)
    expect(await allowedBy('http://[fd00:1::5]/', guard)).toBe(true)
    expect(await allowedBy('http://10.2.0.1/', guard)).toBe(false)
    expect(await allowedBy('http://192.168.7.8/', guard)).toBe(false)
    expect(await allowedBy('http://[fd00:2::5]/', guard)).toBe(false)
  })

  test('is not called at an address of this machine, even if it is public', async () => {
    const own = ['93.184.216.34', '2606:2800:220:1::1']
    const ownAddresses = () => own
    const guard = createGuard({ allowed: [], resolve: async () => own.slice(0, 1), ownAddresses })
    for (const host of ['93.184.216.34', '[2606:2800:220:1::1]', 'myself.example.org']) {
      expect(await allowedBy(`http://${host}/`, guard)).toBe(false)
    }
    expect(await allowedBy('http://93.184.216.35/', guard)).toBe(true)
    const allowing = createGuard({ allowed: ['93.184.216.34'], ownAddresses })
    expect(await allowedBy('http://93.184.216.34/', allowing)).toBe(true)
  })

  test("is refused without revealing addresses of the service's network", async () => {
    const guard = createGuard({ allowed: [], resolve: async () => ['10.11.12.13'] })
    const refused = guard.addressesOf(new URL('http://db.internal/'))
    await expect(refused).rejects.toThrow(/^db\.internal has an address that is not public/)
    await expect(refused).rejects.not.toThrow('10.11.12.13')
  })
})

describe('a server of this machine', () => {
  const asked: string[] = []
  let server: Server
  let port: number

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      if (request.url === '/away')
        response.writeHead(307, { location: `http://127.0.0.1:${port}/secret` })
      response.end('ok')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server.close())

  const message = (url: string) => ({
    url,
    secret: false,
    headers: { 'content-type': 'text/plain' },
    body: 'a',
  })

  test('is not reached by a name that resolves to another address the second time (DNS rebinding)', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']]
    const guard = createGuard({ allowed: [], resolve: async () => answers.shift() ?? [] })
    // The first address is the one that is connected to, and the name is not resolved again.
    const reached: string[] = []
    const pinned = {
      async addressesOf(url: URL) {
        reached.push(...(await guard.addressesOf(url)))
        return ['127.0.0.1']
      },
    }
    await post(message(`http://rebind.invalid:${port}/pinned`), pinned)
    expect(reached).toEqual(['93.184.216.34'])
    expect(asked).toEqual(['/pinned'])
    await expect(post(message(`http://rebind.invalid:${port}/again`), guard)).rejects.toThrow(
      'not public',
    )
    expect(asked).toEqual(['/pinned'])
  })

  test('is not reached by a redirect', async () => {
    asked.length = 0
    const guard = createGuard({ allowed: ['127.0.0.1'] })
    const redirected = post(message(`http://127.0.0.1:${port}/away`), guard)
    await expect(redirected).rejects.toThrow(`redirects (307), which is not followed`)
    expect(asked).toEqual(['/away'])
  })

  test('is not reached through a file or another protocol', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'gopher://127.0.0.1/', 'no url']) {
      await expect(post(message(url), open)).rejects.toThrow('http:// or https://')
    }
  })
})
