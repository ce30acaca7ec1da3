"""The Discord front: decodes what people do into actions for the service, and shows the results."""
