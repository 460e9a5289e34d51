/** What a list says of itself where all of its entries are on one page. */
export const wholePage = (href: string, count: number, limit = 25) => ({
  '@href': href,
  '@representation': 'standard',
  '@pagination': {
    limit,
    offset: 0,
    count,
    is_first: true,
    is_last: true,
    next: null,
    prev: null,
    first: { '@href': href, offset: 0, limit },
    last: { '@href': href, offset: 0, limit },
  },
})
