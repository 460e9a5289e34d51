import { describe, expect, test } from 'vitest'
import { anonymous } from '../../../src/access/viewer.ts'
import {
  type Registry,
  type Resource,
  resourceOf,
  type View,
} from '../../../src/http/v3/core/resource.ts'
import { readInclude } from '../../../src/http/v3/render/include.ts'
import { loader } from '../../../src/http/v3/render/loader.ts'
import { render } from '../../../src/http/v3/render/render.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'

const ctx = testContext((await ownDatabase()).db)

interface Author {
  id?: number
  name: string
  books: string[]
}
interface Book {
  title: string
}

declare module '../../../src/http/v3/core/resource.ts' {
  interface Models {
    author: Author
    book: Book
  }
}

/** Every question that was asked of a link, with the records it was asked for. */
const asked: [string, string[]][] = []

const rights = () => ({ read: true, write: false })

const author = resourceOf<Author>()({
  type: 'author',
  rights,
  permissions: ['read', 'write'],
  href: ({ name }) => `/author/${name}`,
  representations: { minimal: ['name'], standard: ['name', 'books', 'first'] },
  includable: ['secret'],
  values: { secret: (_view, authors) => authors.map(({ name }) => `${name} snores`) },
  links: {
    books: {
      to: 'book',
      read(_view, authors) {
        asked.push(['books', authors.map(({ name }) => name)])
        return authors.map(({ books }) => books.map(bookCalled))
      },
    },
    first: {
      to: 'book',
      read(_view, authors) {
        asked.push(['first', authors.map(({ name }) => name)])
        return authors.map(({ books: [first] }) => (first === undefined ? null : bookCalled(first)))
      },
    },
  },
})

const bookCalled = (title: string): Book => ({ title })

const book = resourceOf<Book>()({
  type: 'book',
  rights,
  permissions: ['read', 'write'],
  href: ({ title }) => `/book/${title}`,
  representations: { minimal: ['title'], standard: ['title', 'author'] },
  links: {
    author: {
      to: 'author',
      read(_view, books) {
        asked.push(['author', books.map(({ title }) => title)])
        return books.map(() => ({ id: 1, name: 'ada', books: ['one'] }))
      },
    },
  },
})

const registry: Registry = { author, book }

/** The same resource without a path: then its id tells which record it is. */
function withoutPath<T extends object>(resource: Resource<T>): Resource<T> {
  const { href: _href, ...rest } = resource
  return rest
}

function viewWith(include: Record<string, string[]> = {}): View {
  const items = Object.entries(include).flatMap(([type, names]) =>
    names.map((name) => `${type}.${name}`),
  )
  return {
    call: {},
    ctx,
    viewer: anonymous,
    href: (path) => `/ci${path}`,
    include: readInclude(items),
  }
}

const ada = { name: 'ada', books: ['one', 'two'] }
const bob = { name: 'bob', books: [] }
const eve = { name: 'eve', books: ['three'] }

const permissions = { '@permissions': { read: true, write: false } }
const minimalBook = (title: string) => ({
  '@type': 'book',
  '@href': `/ci/book/${title}`,
  '@representation': 'minimal',
  ...permissions,
  title,
})

describe('a record', () => {
  test('shows one or many linked records as minimal, and null or an empty list if there are none', async () => {
    expect(await render(registry, viewWith(), author, [ada, bob])).toEqual([
      {
        '@type': 'author',
        '@href': '/ci/author/ada',
        '@representation': 'standard',
        ...permissions,
        name: 'ada',
        first: minimalBook('one'),
        books: [minimalBook('one'), minimalBook('two')],
      },
      {
        '@type': 'author',
        '@href': '/ci/author/bob',
        '@representation': 'standard',
        ...permissions,
        name: 'bob',
        first: null,
        books: [],
      },
    ])
  })

  test('that is minimal still shows its included attributes', async () => {
    const view = viewWith({ author: ['secret'] })
    expect(
      await render(registry, view, author, [bob], { representation: 'minimal' }),
    ).toMatchObject([{ '@representation': 'minimal', name: 'bob', secret: 'bob snores' }])
  })

  test('within itself is shown only as its path', async () => {
    const view = viewWith({ author: ['books'], book: ['author'] })
    expect(await render(registry, view, author, [ada])).toMatchObject([
      {
        books: [
          { '@representation': 'standard', author: { '@href': '/ci/author/ada' } },
          { '@representation': 'standard', author: { '@href': '/ci/author/ada' } },
        ],
      },
    ])
  })

  test('linked from a record is shown in full within another, and itself only as its path', async () => {
    const view = viewWith({ author: ['books'], book: ['author'] })
    const max = { name: 'max', books: ['one'] }
    expect(await render(registry, view, author, [max])).toMatchObject([
      { books: [{ author: { name: 'ada', books: [{ '@href': '/ci/book/one' }] } }] },
    ])
  })
})

describe('a list of records', () => {
  const included = viewWith({ author: ['books'], book: ['author'] })

  test('shows an entry only as its path within later entries, and in full within earlier ones', async () => {
    const [first, second] = await render(registry, included, author, [bob, { ...ada, name: 'max' }])
    expect(first).toMatchObject({ name: 'bob', books: [] })
    expect(second).toMatchObject({
      books: [{ author: { '@representation': 'standard', name: 'ada' } }, { title: 'two' }],
    })
    const later = await render(registry, included, author, [ada, { ...ada, name: 'max' }])
    expect(later[1]).toMatchObject({ books: [{ author: { '@href': '/ci/author/ada' } }, {}] })
    const earlier = await render(registry, included, author, [{ ...ada, name: 'max' }, ada])
    expect(earlier[0]).toMatchObject({ books: [{ author: { name: 'ada' } }, {}] })
  })

  test('shows a record that is not an entry within each entry', async () => {
    const max = { ...ada, name: 'max' }
    expect(await render(registry, viewWith(), author, [ada, max])).toMatchObject([
      { first: minimalBook('one'), books: [minimalBook('one'), minimalBook('two')] },
      { first: minimalBook('one'), books: [minimalBook('one'), minimalBook('two')] },
    ])
  })

  test('shows a repeated entry only as its path', async () => {
    expect(await render(registry, viewWith(), book, [{ title: 'x' }, { title: 'x' }])).toEqual([
      expect.objectContaining({ title: 'x' }),
      { '@href': '/ci/book/x' },
    ])
  })
})

test('a record without a path is left out within itself', async () => {
  const pathless = { author: withoutPath(author), book: withoutPath(book) }
  const view = viewWith({ author: ['books', 'first'], book: ['author'] })
  const [shown] = await render(pathless, view, pathless.author, [{ ...ada, id: 1 } as Author])
  expect(shown).toMatchObject({ books: [{ title: 'one' }, { title: 'two' }] })
  const { books, first } = shown as { books: object[]; first: object }
  for (const each of [...books, first]) expect(each).not.toHaveProperty('author')
})

test('a link is read once for a whole list', async () => {
  asked.length = 0
  await render(registry, viewWith({ author: ['books'] }), author, [ada, bob, eve])
  expect(asked).toEqual([
    ['books', ['ada', 'bob', 'eve']],
    ['first', ['ada', 'bob', 'eve']],
    ['author', ['one', 'two', 'three']],
  ])
})

test('a value that several attributes need is read once for the whole document', async () => {
  const read: string[][] = []
  const firstBook = loader<Author, Book | null>(
    ({ name }) => name,
    async (_view, authors) => {
      read.push(authors.map(({ name }) => name))
      return authors.map(({ books: [first] }) => (first === undefined ? null : bookCalled(first)))
    },
  )
  const link = { to: 'book', read: firstBook } as const
  const twice = resourceOf<Author>()({
    type: 'author',
    rights,
    permissions: [],
    representations: { minimal: [], standard: ['debut', 'opener'] },
    links: { debut: link, opener: link },
  })
  const plain = { book: { ...book, representations: { minimal: ['title'], standard: ['title'] } } }
  const view = viewWith({ author: ['opener'] })
  const [first, second] = await render(plain, view, twice, [ada, bob])
  expect(read).toEqual([['ada', 'bob']])
  expect(first).toMatchObject({
    debut: { '@representation': 'minimal', title: 'one' },
    opener: { '@representation': 'standard', title: 'one' },
  })
  expect(second).toMatchObject({ debut: null, opener: null })
})

test('a value that was read with its records is not read again', async () => {
  const read: string[][] = []
  const length = loader<Author, number>(
    ({ name }) => name,
    async (_view, authors) => {
      read.push(authors.map(({ name }) => name))
      return authors.map(({ books }) => books.length)
    },
  )
  const counted = resourceOf<Author>()({
    type: 'author',
    rights,
    permissions: [],
    representations: { minimal: [], standard: ['length'] },
    values: { length },
  })
  const view = viewWith()
  length.know(view.call, [ada, bob], [12, 0])
  const shown = await render(registry, view, counted, [ada, bob, eve])
  expect(shown).toMatchObject([{ length: 12 }, { length: 0 }, { length: 1 }])
  expect(read).toEqual([['eve']])
  // Another call knows nothing.
  const other = await render(registry, viewWith(), counted, [ada])
  expect(other).toMatchObject([{ length: 2 }])
})

test('linked records can be a list with its own path, or null', async () => {
  const owner = resourceOf<Author>()({
    type: 'author',
    rights,
    permissions: [],
    representations: { minimal: [], standard: ['shelf'] },
    links: {
      shelf: {
        to: 'book',
        list: { type: 'books', href: ({ name }) => `/author/${name}/books` },
        read: (_view, authors) =>
          authors.map(({ books }) => (books.length === 0 ? null : books.map(bookCalled))),
      },
    },
  })
  const [first, second] = await render(registry, viewWith(), owner, [ada, bob])
  expect(first).toMatchObject({
    shelf: {
      '@type': 'books',
      '@href': '/ci/author/ada/books',
      '@representation': 'minimal',
      books: [minimalBook('one'), minimalBook('two')],
    },
  })
  expect(second).toMatchObject({ shelf: null })
})

test('an empty list reads no links, and does not check includes', async () => {
  asked.length = 0
  expect(await render(registry, viewWith({ author: ['nothing'] }), author, [])).toEqual([])
  expect(asked).toEqual([])
})

test('a link to an unknown resource is a bug', async () => {
  const broken = {
    ...author,
    links: { books: { to: 'poem' as 'user', read: () => [{ title: 'x' } as never] } },
  }
  const shown = { ...broken, representations: { minimal: [], standard: ['books'] } }
  await expect(render(registry, viewWith(), shown, [bob])).rejects.toThrow(
    'there is no resource poem',
  )
})
