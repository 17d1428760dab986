import ipaddr from 'ipaddr.js';

/** Addresses that are public by their range and still lead inside a provider's own machinery. */
const neverPublic = new Set(['168.63.129.16']);

/**
 * Whether an address belongs to the public internet. Whatever carries an IPv4 address inside an IPv6 one
 * (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) is not: where it leads depends on the network.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || neverPublic.has(text)) return false;
  return address instanceof ipaddr.IPv4 || isGlobalIPv6(address);
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20');

/** The range says unicast of much that is not routed, IPv4-compatible addresses among it. */
function isGlobalIPv6(address: ipaddr.IPv6): boolean {
  const isIsatap = address.parts[5] === 0x5efe;
  return address.match(globalUnicast) && !address.match(documentation) && !isIsatap;
}
