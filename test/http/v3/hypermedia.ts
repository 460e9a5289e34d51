interface Reply {
  status: number
  body: unknown
}

interface Template {
  request_method: string
  uri_template: string
}

export interface Home {
  '@href': string
  resources: Readonly<
    Record<
      string,
      {
        actions: Readonly<Record<string, readonly Template[]>>
        attributes: readonly string[]
        representations?: Readonly<Record<string, readonly string[]>>
        permissions?: readonly string[]
      }
    >
  >
}

/** One read of a client. */
export interface Visit extends Reply {
  url: string
  /** The type of resource whose template led here; undefined where only a link did. */
  resource: string | undefined
  /** Whether a link led here. */
  linked: boolean
}

/**
 * Expands a template (RFC 6570): `{name}`, `{?name,other}` and `{&name}`, the forms that occur.
 * Undefined where a variable of the path has no value; those of the query can be missing.
 */
export function expand(
  template: string,
  values: Readonly<Record<string, string>>,
): string | undefined {
  let isWhole = true
  const expanded = template.replaceAll(
    /\{([?&]?)([^}]*)\}/g,
    (_all, operator: string, list: string) => {
      const names = list.split(',')
      if (operator === '') {
        const [name = ''] = names
        isWhole &&= values[name] !== undefined
        return escaped(values[name] ?? '')
      }
      const pairs = names.flatMap((name) =>
        values[name] === undefined ? [] : `${escaped(name)}=${escaped(values[name])}`,
      )
      return pairs.length === 0 ? '' : `${operator}${pairs.join('&')}`
    },
  )
  return isWhole ? expanded : undefined
}

/** All but the unreserved characters. */
function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase()}`,
  )
}

/** More values of a variable than these are not tried. */
const mostValues = 3

/** More pages than these are not needed to see each kind of resource. */
const mostVisits = 2000

/**
 * Reads everything that can be read by a client that knows only `/`, and the words that people tell
 * it: it follows links, and expands templates with what earlier answers have told it.
 */
export async function walk(
  get: (url: string) => Promise<Reply>,
  words: Readonly<Record<string, readonly string[]>>,
): Promise<Visit[]> {
  const visits = new Map<string, Visit>()
  const known = new Map(Object.entries(words).map(([name, values]) => [name, new Set(values)]))
  const links = new Set<string>()
  /** Of resources that are only shown inside of others. */
  const unreadable = new Set<string>()
  const { resources } = (await get('/')).body as Home
  const reads = Object.entries(resources).flatMap(([resource, { actions }]) =>
    Object.values(actions)
      .flat()
      .filter(({ request_method }) => request_method === 'GET')
      .map(({ uri_template }) => ({ resource, template: uri_template })),
  )
  const include = everythingIn(resources)
  /** The templates that were expanded with all that can be included. */
  const widened = new Set<string>()
  /** Types whose links lead somewhere. */
  const readable = new Set(reads.map(({ resource }) => resource))

  function learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    const { '@type': type, '@href': href } = value as Record<string, unknown>
    // A page of a list, or a record that was shown before, has no type here.
    if (typeof href === 'string') {
      const isRead = typeof type !== 'string' || readable.has(type)
      void (isRead ? links : unreadable).add(href)
    }
    const isEmpty = Object.values(value).some((each) => Array.isArray(each) && each.length === 0)
    for (const [name, member] of Object.entries(value)) {
      // A list that is not counted always has a next page.
      if (name === '@pagination' && isEmpty) continue
      learn(member)
      if (typeof type !== 'string' || !['string', 'number'].includes(typeof member)) continue
      for (const variable of [`${type}.${name}`, name]) {
        const values = known.get(variable) ?? new Set<string>()
        if (values.size < mostValues) values.add(String(member))
        known.set(variable, values)
      }
    }
  }

  async function visit(url: string, resource?: string): Promise<void> {
    const before = visits.get(url)
    const linked = resource === undefined
    if (before) {
      before.resource ??= resource
      before.linked ||= linked
      return
    }
    if (visits.size >= mostVisits) throw new Error('the walk does not end')
    const reply = await get(url)
    visits.set(url, { url, resource, linked, ...reply })
    if (reply.status === 200) learn(reply.body)
  }

  await visit('/', 'home')
  for (let size = -1; size < visits.size + links.size;) {
    size = visits.size + links.size
    for (const { resource, template } of reads) {
      for (const values of combinations(variablesOf(template), known)) {
        const url = expand(template, values)
        if (url === undefined) continue
        await visit(url, resource)
        if (visits.get(url)?.status !== 200 || widened.has(template)) continue
        widened.add(template)
        // Some are only shown where they are included.
        await visit(expand(template, { ...values, include }) ?? url, resource)
      }
    }
    for (const link of links) if (!unreadable.has(link)) await visit(link)
  }
  return [...visits.values()]
}

/** All that can be included, whatever is shown. */
function everythingIn(resources: Home['resources']): string {
  return Object.entries(resources)
    .filter(([, { permissions }]) => permissions)
    .flatMap(([type, { attributes }]) => attributes.map((name) => `${type}.${name}`))
    .filter((item) => !item.includes('@'))
    .join(',')
}

/** The variables of a template's path. */
function variablesOf(template: string): string[] {
  return [...template.matchAll(/\{([^?&}][^}]*)\}/g)].map(([, name = '']) => name)
}

function combinations(
  names: readonly string[],
  known: ReadonlyMap<string, ReadonlySet<string>>,
): Record<string, string>[] {
  return names.reduce<Record<string, string>[]>(
    (made, name) =>
      made.flatMap((values) =>
        [...(known.get(name) ?? [])].map((value) => ({ ...values, [name]: value })),
      ),
    [{}],
  )
}
