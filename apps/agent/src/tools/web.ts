import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

/** Where an address leads: into the web, into the own machine and network, or to what gives out keys to programs on a machine. */
export type Reach = 'web' | 'own' | 'keys';

/** The own machine and network, and what is no place in the web. */
const OWN = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  'fc00::/7',
  'fec0::/10',
  'ff00::/8',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
];

/** Where clouds hand out keys. */
const KEYS = ['169.254.0.0/16', '100.100.100.200/32', 'fe80::/10', 'fd00:ec2::254/128'];

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

let lists: { readonly own: BlockList; readonly keys: BlockList } | undefined;

function reachOfAddress(address: string): Reach {
  lists ??= { own: blockList(OWN), keys: blockList(KEYS) };
  const family = familyOf(address);
  if (lists.keys.check(address, family)) return 'keys';
  return lists.own.check(address, family) ? 'own' : 'web';
}

/** By the host as it is written; undefined of a name, which has to be looked up. */
export function reachOf({ hostname }: URL): Reach | undefined {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return reachOfAddress(host);
  return /(?:^|\.)localhost$/i.test(host) ? 'own' : undefined;
}

export interface WebOptions {
  readonly signal: AbortSignal;
  /** Whether a name may lead into the own network. */
  readonly mayReachOwn: (url: URL) => boolean;
  /** @default that of the system */
  readonly lookup?: typeof lookup;
}

export interface WebPage {
  readonly status: number;
  readonly header: (name: string) => string;
  readonly body: Readable;
}

/** Asks for a page. The address that a name has is looked at and then connected to, so that it cannot be another one by then. */
export function getPage(url: URL, { signal, mayReachOwn, ...given }: WebOptions): Promise<WebPage> {
  if (reachOf(url) === 'keys') throw new Error(keysText(url));
  const look: LookupFunction = (name, options, done) =>
    (given.lookup ?? lookup)(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 4);
      const reaches = found.map(({ address }) => reachOfAddress(address));
      if (reaches.includes('keys')) return done(new Error(keysText(url)), '', 4);
      if (reaches.includes('own') && reachOf(url) !== 'own' && !mayReachOwn(url))
        return done(new Error(ownText(url)), '', 4);
      const [first] = found;
      if (options.all) return done(null, found);
      return done(null, first?.address ?? '', first?.family ?? 4);
    });
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const asked = request(url, { signal, lookup: look, headers: HEADERS }, (response) => {
      const { statusCode: status = 0, headers } = response;
      resolve({
        status,
        header: (name) => String(headers[name] ?? ''),
        body: unpacked(response, headers['content-encoding']),
      });
    });
    asked.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    asked.end();
  });
}

const HEADERS = {
  accept: 'text/html,text/markdown,text/plain,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'varve',
};

function unpacked(body: Readable, encoding = ''): Readable {
  const unpack = /^(?:x-)?gzip$|^deflate$/i.test(encoding)
    ? createUnzip()
    : /^br$/i.test(encoding)
      ? createBrotliDecompress()
      : undefined;
  if (unpack === undefined) return body;
  return pipeline(body, unpack, () => undefined); // who reads it hears of an error
}

const keysText = ({ host }: URL): string =>
  `${host} gives out keys to programs on this machine, and is never fetched.`;

const ownText = ({ host, hostname }: URL): string =>
  `${host} leads into the own machine or network. A rule that names it in \`permissions.allow\` lets it be fetched: WebFetch(domain:${hostname}).`;
