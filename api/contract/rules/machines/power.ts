/** Supplies that are no batteries, by their type (Documentation/ABI/testing/sysfs-class-power): "USB_PD", "USB_DCP". */
const ADAPTER = /^(?:Mains|USB|Wireless|BrickID|Apple_Brick_ID)/;

/** Returns true for a supply that gives the machine power while it is online: a laptop may have USB-C alone. */
export const isPowerAdapter = (type: string): boolean => ADAPTER.test(type);
